import type { DatabaseSync } from 'node:sqlite'
import { readAsset } from '../assets.ts'

/**
 * Fills an empty database with the content of a small website.
 * @param origin the repository or web that it was created for
 */
export function fillContent(database: DatabaseSync, origin: string): void {
  database.exec(readAsset(import.meta.url, 'content.sql'))
  writeSetting(database, 'origin', origin)
}

/** Stores the web that a database belongs to. */
export const setHost = (database: DatabaseSync, fqdn: string): void => writeSetting(database, 'host', fqdn)

function writeSetting(database: DatabaseSync, name: string, value: string): void {
  database
    .prepare('insert into settings values (?, ?) on conflict (name) do update set value = excluded.value')
    .run(name, value)
}
