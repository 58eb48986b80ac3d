"""What the subjects of ``bench`` share: contests, workloads, peers, measuring, the report."""
