import { DatabaseSync } from 'node:sqlite'
import { changingWeb, releaseAt, servedFolder } from '../nodes/installed-frameworks.ts'
import type { PanelDomain } from './domains.ts'

/**
 * The tables of Plesk's own database that Kustos reads, with these domains.
 * @param node its folder
 */
export function fillPanelDatabase(
  domains: readonly PanelDomain[],
  node: string,
  at = new Date(),
): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table clients (id integer primary key, type text, cname text, pname text);
    create table domains (id integer primary key, name text, status integer, cl_id integer);
    create table sys_users (id integer primary key, login text);
    create table hosting (dom_id integer primary key, sys_user_id integer, php_handler_id text, www_root text);
    create table data_bases (id integer primary key, name text, dom_id integer);
    insert into clients values (1, 'admin', '', 'Administrator')`)
  const insert = (sql: string) => database.prepare(sql)
  const addDomain = insert('insert into domains values (?, ?, ?, 1)')
  const addUser = insert('insert into sys_users values (?, ?)')
  const addHosting = insert('insert into hosting values (?, ?, ?, ?)')
  const addDatabase = insert('insert into data_bases (name, dom_id) values (?, ?)')
  for (const { domain, subscription } of domains) {
    const { id, sysuser, status } = subscription
    addDomain.run(domain.id, domain.name, status ?? 0)
    if (sysuser === null || domain.base_domain_id !== 0) continue
    addUser.run(id, sysuser)
    const isUpgraded = subscription.fqdn === changingWeb.fqdn && releaseAt(at) === 1
    const root = servedFolder(node, subscription.fqdn, at)
    addHosting.run(domain.id, id, isUpgraded ? 'plesk-php84-fpm' : 'plesk-php83-fpm', root)
    addDatabase.run(`${sysuser}_db`, domain.id)
    if (isUpgraded) addDatabase.run(`${sysuser}_db13`, domain.id)
  }
  return database
}
