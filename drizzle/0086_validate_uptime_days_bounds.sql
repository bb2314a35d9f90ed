ALTER TABLE "uptime_days" VALIDATE CONSTRAINT "uptime_days_bounds";
