ALTER TABLE "inspections" ADD CONSTRAINT "inspections_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action NOT VALID;
