import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'

/** Remembers that webs had a page with content, so that a blank one is noticed. @param pages their addresses, by web */
export async function storeSeenPages(tx: Transaction, pages: ReadonlyMap<number, string>): Promise<void> {
  if (pages.size === 0) return
  await tx.execute(sql`
    insert into seen_pages (web_id, url)
    select page.web_id, page.url from unnest(
      ${sql.param([...pages.keys()])}::int[], ${sql.param([...pages.values()])}::text[]
    ) as page (web_id, url) join webs on webs.id = page.web_id
    order by page.web_id
    on conflict (web_id) do update set url = excluded.url where seen_pages.url <> excluded.url`)
}
