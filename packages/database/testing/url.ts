/** The same server and user, another database. */
export function urlFor(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}
