"""The figures of the README, each as a ratio measured side by side in one run."""
