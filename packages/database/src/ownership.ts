import pg from 'pg'

/** A sentence for the operator if the login lacks the rights of the tables' owner; null for other errors. */
export const ownerSentence = (error: unknown, { user }: pg.Client): string | null =>
  error instanceof pg.DatabaseError && error.code === '42501'
    ? `It takes the login that owns the database and its tables (DATABASE_OWNER_URL), and ${user} is not one: ${error.message}.`
    : null
