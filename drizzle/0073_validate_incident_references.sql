ALTER TABLE "incidents" VALIDATE CONSTRAINT "incidents_node_id_nodes_id_fk";
--> statement-breakpoint
ALTER TABLE "incidents" VALIDATE CONSTRAINT "incidents_outage_id_incidents_id_fk";
