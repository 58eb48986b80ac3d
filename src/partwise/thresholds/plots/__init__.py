"""Pictures of sweeps and of resolutions."""
