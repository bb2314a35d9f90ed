import pg from 'pg'

/**
 * What to tell an operator whose login may not do what takes the tables' owner.
 * @returns null where an error says something else
 */
export const ownerSentence = (error: unknown, { user }: pg.Client): string | null =>
  error instanceof pg.DatabaseError && error.code === '42501'
    ? `It takes the login that owns the database and its tables (DATABASE_OWNER_URL), and ${user} is none: ${error.message}.`
    : null
