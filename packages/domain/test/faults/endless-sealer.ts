import { openDatabase } from '@kustos/database/client'
import { sealLog } from '../../src/logs/index.ts'
import { createContext } from '../../src/platform/context.ts'

/** Seals the log of the given database until it is killed. */
const [url = ''] = process.argv.slice(2)
const context = createContext(openDatabase(url, { max: 2, name: 'kustos-sealer' }))
const { signal } = new AbortController()
for (;;) await sealLog(context, signal)
