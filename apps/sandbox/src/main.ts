import { run } from './run.ts'

process.exit(await run(process.env))
