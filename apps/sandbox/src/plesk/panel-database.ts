import { DatabaseSync } from 'node:sqlite'
import type { PanelDomain } from './domains.ts'

/** The tables of Plesk's own database that Kustos reads, with these domains. */
export function fillPanelDatabase(domains: readonly PanelDomain[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table clients (id integer primary key, type text, cname text, pname text);
    create table domains (id integer primary key, name text, status integer, cl_id integer);
    create table sys_users (id integer primary key, login text);
    create table hosting (dom_id integer primary key, sys_user_id integer, php_handler_id text);
    create table data_bases (id integer primary key, name text, dom_id integer);
    insert into clients values (1, 'admin', '', 'Administrator')`)
  const insert = (sql: string) => database.prepare(sql)
  const addDomain = insert('insert into domains values (?, ?, ?, 1)')
  const addUser = insert('insert into sys_users values (?, ?)')
  const addHosting = insert('insert into hosting values (?, ?, ?)')
  const addDatabase = insert('insert into data_bases (name, dom_id) values (?, ?)')
  for (const { domain, subscription } of domains) {
    const { id, sysuser, status } = subscription
    addDomain.run(domain.id, domain.name, status ?? 0)
    if (sysuser === null || domain.base_domain_id !== 0) continue
    addUser.run(id, sysuser)
    addHosting.run(domain.id, id, 'plesk-php83-fpm')
    addDatabase.run(`${sysuser}_db`, domain.id)
  }
  return database
}
