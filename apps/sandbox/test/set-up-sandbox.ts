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

/** Starts a sandbox before the tests of a file, with its administrator signed in, and stops it after them. */
export async function setUpSandbox(settings: Settings = {}) {
  const folder = await createDataFolder()
  const port = await freePort()
  const admin = createVisitor(`http://127.0.0.1:${port}`)
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({
      PORT: port,
      HOST: '127.0.0.1',
      KUSTOS_DATA_DIR: folder.path,
      ...settings,
    })
    await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  })
  afterAll(async () => {
    await stopSandbox(sandbox, 'SIGTERM')
    await folder.remove()
  })
  return { folder: folder.path, admin, output: () => sandbox.output() }
}
