// Says which dump is about to be imported, and how old it is; or that there is none.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Complaint, runTool, say } from './tool.ts'

await runTool(['the dump', 'what to do where there is none'], async (path, advice) => {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new Complaint(`There is no dump ${path} on this node: ${advice}.`)
  if (found.size === 0) throw new Complaint(`The dump ${path} is empty: ${advice}.`)
  await say(`${basename(path)}: ${found.size} bytes, of ${found.mtime.toISOString()}`)
})
