import { afterAll, beforeAll } from 'vitest'
import {
  createDataFolder,
  createVisitor,
  freePort,
  type Sandbox,
  type Settings,
  startSandbox,
  stopSandbox,
} from './system.ts'

export type RunningSandbox = Awaited<ReturnType<typeof setUpSandbox>>

/** Starts a sandbox before the tests of a file, with its administrator signed in, and stops it after them. */
export async function setUpSandbox(settings: Settings = {}) {
  const folder = await createDataFolder()
  const port = await freePort()
  const admin = createVisitor(`http://127.0.0.1:${port}`)
  let sandbox: Sandbox
  const start = async (more: Settings = {}) => {
    sandbox = await startSandbox({
      PORT: port,
      HOST: '127.0.0.1',
      KUSTOS_DATA_DIR: folder.path,
      ...settings,
      ...more,
    })
  }
  /** @returns the milliseconds until its exit */
  const stop = (signal: NodeJS.Signals) => stopSandbox(sandbox, signal)
  beforeAll(async () => {
    await start()
    await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  })
  afterAll(async () => {
    if (sandbox.process.exitCode === null && sandbox.process.signalCode === null) await stop('SIGTERM')
    await folder.remove()
  })
  return { folder: folder.path, admin, start, stop, output: () => sandbox.output() }
}
