import { rotas } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { type EntryScope, selectEntries } from './entry-sql.ts'

const ofRota = { subject_id: sql`rotas.id`, subject: sql`rotas.name`, since: sql`rotas.noticed_since` }

/** Rotas that have begun and have nobody who can be on call. */
export const unstaffedRotas = (): SQL =>
  selectEntries(
    'rota_unstaffed',
    ofRota,
    sql`from ${rotas} where noticed_since is not null and noticed_user_id is null`,
  )

/** The shifts of the acting user that have begun. */
export const ownShifts = ({ actor }: EntryScope): SQL =>
  selectEntries(
    'on_call',
    ofRota,
    sql`from ${rotas} where noticed_since is not null and noticed_user_id = ${actor?.id ?? null}::int`,
  )
