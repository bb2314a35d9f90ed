// Executes deployments as a worker does, each frozen before one line of its program or of the wrapper.
import { registerHooks } from 'node:module'
import { executionSettings, executionTask } from './execution-task.ts'
import { workerPoints, wrapperPoints } from './freeze-points.ts'

const settings = executionSettings.parse(JSON.parse(process.argv[2] ?? ''))
let point: number | null = null
Object.assign(globalThis, {
  freezeAt(reached: number) {
    if (reached !== point) return
    point = null
    process.kill(process.pid, 'SIGSTOP')
  },
})
const insertions = [
  ...workerPoints.map((at, index) => ({ ...at, code: `;freezeAt(${index});` })),
  // The test makes the file that makes the wrapper freeze; the wrapper runs in the folder of its node.
  ...wrapperPoints.map((at, index) => ({
    ...at,
    code: `if rm "freeze-${index}" 2>/dev/null; then echo $$ >frozen; kill -s STOP $$; fi; `,
  })),
]
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const here = insertions.filter(({ file }) => url.endsWith(file))
    if (here.length === 0) return loaded
    const lines = String(loaded.source).split('\n')
    for (const { line, code } of here) lines[line] = `${code}${lines[line]}`
    return { ...loaded, source: lines.join('\n') }
  },
})

const { openTestExecution } = await import('./open-execution.ts')
const execution = await openTestExecution(settings)
process.on('message', async (message) => {
  const task = executionTask.parse(message)
  point = task.point
  const execute = task.isOverSsh ? execution.executeOverSsh : execution.execute
  process.send?.({ outcome: await execute(task.deployment) })
})
process.once('disconnect', () => void execution.close())
process.send?.('ready')
