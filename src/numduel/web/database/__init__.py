"""The database: connections, migrations, retention, readiness, notifications."""
