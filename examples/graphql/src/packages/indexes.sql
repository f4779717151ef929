CREATE INDEX packages_by_name ON packages (name);
CREATE INDEX dependents ON dependencies (dependency);
