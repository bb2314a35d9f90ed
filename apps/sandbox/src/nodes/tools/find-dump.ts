// Logs which dump is going to be imported and how old it is, or fails if there is none.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { log, runTool } from './tool.ts'

await runTool(['the dump', 'what to do if there is none'], async (path, advice) => {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Error(`There is no dump ${path} on this node: ${advice}.`)
  if (found.size === 0) throw new Error(`The dump ${path} is empty: ${advice}.`)
  await log(`${basename(path)}: ${found.size} bytes, of ${found.mtime.toISOString()}`)
})
