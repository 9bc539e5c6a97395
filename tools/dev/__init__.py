"""What `./dev` runs: set-up, build, tests and benchmarks of this repository."""
