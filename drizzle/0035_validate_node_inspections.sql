ALTER TABLE "inspections" VALIDATE CONSTRAINT "inspections_kind";--> statement-breakpoint
ALTER TABLE "inspections" VALIDATE CONSTRAINT "inspections_subject";--> statement-breakpoint
ALTER TABLE "inspections" VALIDATE CONSTRAINT "inspections_node_id_nodes_id_fk";
