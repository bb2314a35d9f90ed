import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { deploymentLines } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { cancelDeployment, requestAction } from '@kustos/domain/deployment'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  adminContext,
  createNodes,
  end,
  insertWebs,
  isAlive,
  openWorkerEnvironment,
  waitForState,
} from './worker-environment.ts'

const password = 'correct-horse-battery'
const privateKey = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
const count = 30

/** Journals its start and its end, prints numbered lines to both streams, and waits in the middle of a private key. */
const counting = `
echo "$1 starts $$" >>journal
i=1
while [ $i -le ${count} ]; do
  echo "out $i"; echo "err $i" >&2
  [ $i = 10 ] && echo "connects with --password=${password}"
  if [ $i = 20 ]; then
    echo "-----BEGIN PRIVATE KEY-----"; echo "${privateKey}"
    until [ -e "go-$1" ]; do sleep 0.05; done
    echo "${privateKey}"; echo "-----END PRIVATE KEY-----"
  fi
  i=$((i+1))
  sleep 0.02
done
echo "$1 ends" >>journal
exit $2`

const countTo = (exitCode: string, timeout: number) => [
  {
    name: 'count',
    place: 'node',
    argv: ['sh', '-c', counting, 'sh', '{deployment}', exitCode],
    timeout,
  },
]

const numbered = (source: string) => Array.from({ length: count }, (_, index) => `${source} ${index + 1}`)
const errLines = numbered('err')

/** Opens a database with one node, and an environment whose commands count and wait to be let go. */
export async function openHandOver() {
  const database = await testDatabase()
  const { db } = database
  const context = await adminContext(database)
  const environment = await openWorkerEnvironment(database, {
    recipes: {
      importDatabase: countTo('0', 60),
      backupWeb: countTo('3', 60),
      exportDatabase: countTo('0', 8),
    },
  })
  const { tools } = environment
  const nodeIds = await createNodes(database, 1)
  const createWeb = async () => (await insertWebs(database, nodeIds, 1))[0] ?? 0

  const readLines = (id: number) =>
    db
      .select()
      .from(deploymentLines)
      .where(eq(deploymentLines.deployment_id, id))
      .orderBy(deploymentLines.number)
  const readOutput = async (id: number, source: 'out' | 'err') =>
    (await readLines(id)).filter((line) => line.source === source).map(({ text }) => text)
  const readJournal = async (id: number) =>
    (await environment.file('nodes/n1/journal'))
      .split('\n')
      .filter((line) => line.startsWith(`${id} `))
      .map((line) => line.split(' '))
  const letGo = (id: number) => writeFile(`${environment.folder}/nodes/n1/go-${id}`, '')
  const waitForLine = (id: number, text: string) =>
    expect.poll(() => readOutput(id, 'out'), { timeout: 20_000 }).toContain(text)

  /** Starts a worker and a deployment whose command waits in the middle. */
  async function start(kind: 'importDatabase' | 'backupWeb' | 'exportDatabase') {
    const worker = await environment.startWorker()
    const id = await requestAction(context, tools, kind, { id: await createWeb() })
    await waitForLine(id, 'out 15')
    return { worker, id }
  }

  return {
    database,
    context,
    environment,
    tools,
    start,
    readLines,
    readOutput,
    readJournal,
    letGo,
    waitForLine,
  }
}

type HandOver = Awaited<ReturnType<typeof openHandOver>>

/** Defines the test of a deployment whose workers all get the signal while its command runs. */
export function testFollowing(
  { database, environment, start, readLines, readOutput, readJournal, letGo, waitForLine }: HandOver,
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  test('keeps running, and its output is followed by the next worker without a gap', async () => {
    const { worker, id } = await start('importDatabase')
    expect(await end(worker, signal)).toBeLessThan(5_000)
    const [running] = await readJournal(id)
    expect(await isAlive(Number(running?.[2]))).toBe(true)
    const second = await environment.startWorker()
    await waitForLine(id, 'out 20')
    expect(await end(second, signal)).toBeLessThan(5_000)
    // It ends while nobody follows it.
    await letGo(id)
    await expect.poll(() => readJournal(id)).toHaveLength(2)
    const third = await environment.startWorker()
    await waitForState(database, id, ['succeeded'])
    expect((await readJournal(id)).map(([, what]) => what)).toEqual(['starts', 'ends'])
    expect((await readOutput(id, 'out')).filter((line) => line.startsWith('out'))).toEqual(numbered('out'))
    expect(await readOutput(id, 'err')).toEqual(errLines)
    const lines = await readLines(id)
    expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1))
    expect(lines.filter(({ text }) => text.startsWith('$ '))).toHaveLength(1)
    const text = lines.map((line) => line.text).join('\n')
    expect(text).not.toContain(password)
    expect(text).not.toContain(privateKey)
    await end(third, 'SIGTERM')
  })
}

/** Defines the tests of deployments whose command ends, is cancelled or is too slow while no worker follows it. */
export function testEndings(
  { database, context, environment, tools, start, readOutput, readJournal, letGo }: HandOver,
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  test('fails with the reason that its command gave while nobody followed it', async () => {
    const { worker, id } = await start('backupWeb')
    await end(worker, signal)
    await letGo(id)
    await expect.poll(() => readJournal(id)).toHaveLength(2)
    const second = await environment.startWorker()
    expect((await waitForState(database, id, ['failed'])).error).toBe(`count: err ${count} (exit code 3)`)
    expect(await readJournal(id)).toHaveLength(2)
    await end(second, 'SIGTERM')
  })

  test('is cancelled with its command by the next worker', async () => {
    const { worker, id } = await start('importDatabase')
    await end(worker, signal)
    await cancelDeployment(context, tools, id)
    const second = await environment.startWorker()
    await waitForState(database, id, ['cancelled'])
    const [running] = await readJournal(id)
    expect(await isAlive(Number(running?.[2]))).toBe(false)
    expect(await readOutput(id, 'err')).toEqual(errLines.slice(0, 20))
    await end(second, 'SIGTERM')
  })

  test('is ended when its command exceeds its timeout, which counts from its start', async () => {
    const { worker, id } = await start('exportDatabase')
    await end(worker, signal)
    await sleep(8_000)
    const second = await environment.startWorker()
    const startedAt = Date.now()
    expect((await waitForState(database, id, ['failed'])).error).toBe(
      'count: The command took longer than 8 s and was stopped.',
    )
    // The lease of a killed worker has to be found by a sweep.
    if (signal === 'SIGTERM') expect(Date.now() - startedAt).toBeLessThan(7_500)
    const [running] = await readJournal(id)
    expect(await isAlive(Number(running?.[2]))).toBe(false)
    await end(second, 'SIGTERM')
  })
}
