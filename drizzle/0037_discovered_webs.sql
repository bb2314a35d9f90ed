CREATE TABLE "discovered_webs" (
	"node_id" integer NOT NULL,
	"fqdn_ascii" text NOT NULL,
	"fqdn" text NOT NULL,
	"address" text,
	"status" integer,
	"sysuser" text,
	"php_version" text,
	"owner" text,
	"databases" json NOT NULL,
	"sites" json NOT NULL,
	"aliases" json,
	CONSTRAINT "discovered_webs_node_id_fqdn_ascii_pk" PRIMARY KEY("node_id","fqdn_ascii")
);
--> statement-breakpoint
ALTER TABLE "discovered_webs" ADD CONSTRAINT "discovered_webs_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;