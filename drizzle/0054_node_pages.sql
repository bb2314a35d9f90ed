ALTER TABLE "tracking_audits" ADD COLUMN "before_consent" json;
