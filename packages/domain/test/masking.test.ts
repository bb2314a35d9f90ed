import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deploymentLines, deploymentSteps, deployments, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { executeDeployment, runDeployment } from '../src/deployment/index.ts'
import { deploymentJob } from '../src/deployment/jobs.ts'
import { type Recipes, readRecipes } from '../src/deployment/recipes.ts'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createContext } from '../src/platform/context.ts'
import { createQueueWork } from '../src/platform/jobs.ts'
import { sealPanelKey } from '../src/platform/panel-key.ts'
import { createSecretBox } from '../src/platform/secret-box.ts'
import { openWorkerServices } from '../src/services.ts'
import { tablesWith } from './tables-with.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const folder = await mkdtemp(join(tmpdir(), 'kustos-masking-'))
const nodeFolder = join(folder, 'nodes', 'n1')
await mkdir(nodeFolder, { recursive: true })

/** Secrets contain this word, so that no part of them goes unnoticed. */
const session = 'SesamSessionSesamSecretSesam0123'
const smtp = 'Sesam/Mail&Sesam!'
/** Every program writes these characters in its own way. */
const quoted = `Sesamäö"'`
const read = readConfiguration({
  DATABASE_URL: database.url,
  LOCAL_NODES_DIR: join(folder, 'nodes'),
  KUSTOS_DATA_DIR: folder,
  SESSION_SECRET: session,
  SMTP_URL: `smtp://mail:${encodeURIComponent(smtp)}@mail.test`,
  // A password too short to be masked in every line.
  LIMITIS_API_TOKEN: 'kustos',
  PLESK_API_KEYS: `n1=SesamPleskKey,n2=${quoted}`,
  BITBUCKET_WORKSPACE: 'agency',
  BITBUCKET_TOKEN: 'bot@agency.test:SesamBitbucket',
  SECRETS_KEY: randomBytes(32).toString('base64'),
})
if (!read.ok) throw new Error(read.sentence)
const services = await openWorkerServices(read.configuration, {
  databaseUrl: database.url,
  onError: () => undefined,
})
let recipes: Recipes = {}
const work = createQueueWork(runDeployment, 2, ({ deployment }, signal) =>
  executeDeployment(context, { ...services.deployments, recipes }, deployment, signal),
)
const workers = await services.takeJobs([work])
afterAll(async () => {
  await workers.stop()
  await services.close()
  await rm(folder, { recursive: true, force: true })
})

const [node] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()
let count = 0
/** In UTF-16 code units; longer lines are cut. */
const maxLineLength = 16 * 1024

/** Runs a command in a deployment of its own. */
async function run(...argv: readonly [string, ...string[]]) {
  count += 1
  const file = join(folder, `recipes-${count}.json`)
  const steps = [
    { name: 'Pre-flight', place: 'builtin', do: 'pre-flight' },
    { name: 'Command', place: 'node', argv, timeout: 60 },
  ]
  await writeFile(file, JSON.stringify({ updateWeb: steps }))
  recipes = await readRecipes(file)
  const [web] = await db
    .insert(webs)
    .values({
      fqdn: `w${count}.test`,
      fqdn_ascii: `w${count}.test`,
      customer: 'A',
      configured_ip: '192.0.2.1',
      node_id: node?.id ?? null,
      status: 0,
    })
    .returning()
  const now = new Date()
  const [row] = await db
    .insert(deployments)
    .values({
      kind: 'updateWeb',
      fqdn: `w${count}.test`,
      web_id: web?.id ?? null,
      node_id: node?.id ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning()
  if (!row || !web) throw new Error('The deployment was not stored')
  await db
    .insert(deploymentSteps)
    .values(
      steps.map(({ name, place }, step) => ({ deployment_id: row.id, step, name, place, state: 'pending' })),
    )
  await services.deployments.queues.add(
    deploymentJob({ deployment: row.id, kind: 'updateWeb', fqdn: row.fqdn, web_id: web.id }),
  )
  for (;;) {
    const [now] = await db.select().from(deployments).where(eq(deployments.id, row.id))
    if (now && now.state !== 'waiting' && now.state !== 'running') {
      const lines = await db
        .select()
        .from(deploymentLines)
        .where(eq(deploymentLines.deployment_id, row.id))
        .orderBy(deploymentLines.number)
      return { ...now, lines: lines.filter(({ step }) => step === 1).map(({ text }) => text) }
    }
    await sleep(50)
  }
}

/** Runs a command that prints the text to both of its outputs and fails. */
async function print(text: string) {
  await writeFile(join(nodeFolder, 'output'), text)
  const { lines, ...row } = await run('sh', '-c', 'cat output; cat output >&2; exit 3')
  return { ...row, lines: lines.slice(1) }
}

const base64 = (text: string, encoding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(text).toString(encoding)
/** Texts that are secret by their form, put together so that nothing mistakes them for real ones. */
const random = 'Sesam0Sesam1Sesam2Sesam3Sesam4Sesam5'
const token = (start: string) => start + random
const jwt = [{ alg: 'HS256' }, { sub: 'Sesam' }].map((part) => base64(JSON.stringify(part), 'base64url'))

test.each([
  ['a value of the configuration', session, '[secret]'],
  ['a value within a word', `xx${session}yy`, 'xx[secret]yy'],
  ['a password of a URL in the configuration', smtp, '[secret]'],
  ['a percent-encoded value', encodeURIComponent(smtp), '[secret]'],
  ['a value in JSON', JSON.stringify({ note: smtp }), '{"note":"[secret]"}'],
  ['a value in JSON of PHP', String.raw`{"note":"Sesam\/Mail&Sesam!"}`, '{"note":"[secret]"}'],
  ['a value in JSON of Go', String.raw`{"note":"Sesam/Mail\u0026Sesam!"}`, '{"note":"[secret]"}'],
  ['a value in ASCII of JSON', String.raw`{"note":"Sesam\u00e4\u00f6\"'"}`, '{"note":"[secret]"}'],
  ['a value in JSON in JSON', JSON.stringify(JSON.stringify(quoted)), String.raw`"\"[secret]\""`],
  ['a value in HTML', 'Sesam/Mail&amp;Sesam!', '[secret]'],
  ['quotes in HTML', 'Sesamäö&quot;&#039;', '[secret]'],
  ['a value of SQL', `'Sesamäö"'''`, `'[secret]'`],
  ['a value with backslashes', String.raw`'Sesamäö\"\''`, `'[secret]'`],
  ['a value of a shell', String.raw`'Sesamäö"'\'''`, `'[secret]'`],
  ['a word of a shell', String.raw`Sesam/Mail\&Sesam\!`, '[secret]'],
  ['a value in hexadecimal digits', Buffer.from(smtp).toString('hex'), '[secret]'],
  ['a key of a node', 'SesamPleskKey', '[secret]'],
  [
    'a URL with credentials',
    'https://deploy:Sesam!1@git.test/a.git',
    'https://deploy:[secret]@git.test/a.git',
  ],
  ['a URL with a token', `https://${random}@git.test/a.git`, 'https://[secret]@git.test/a.git'],
  ['an option', "--password=Sesam'1&2", '--password=[secret]'],
  ['an option and its value', '--db-password Sesam', '--db-password [secret]'],
  ['an option of MySQL', 'mysqldump -u root -pSesam shop', 'mysqldump -u root -p[secret] shop'],
  [
    'an option of curl',
    'curl -s -u deploy:Sesam https://a.test',
    'curl -s -u deploy:[secret] https://a.test',
  ],
  ['a variable', 'MYSQL_PWD=Sesam', 'MYSQL_PWD=[secret]'],
  ['a setting', "'db_password' => 'Sesam Sesam',", "'db_password' => [secret],"],
  ['a field', 'password: "Sesam \\"Sesam"', 'password: [secret]'],
  ['a statement', "IDENTIFIED BY 'Sesam Sesam'", 'IDENTIFIED BY [secret]'],
  [
    'a statement of MySQL 8',
    "IDENTIFIED WITH caching_sha2_password BY 'Sesam'",
    'IDENTIFIED WITH caching_sha2_password BY [secret]',
  ],
  ['a function', "SET PASSWORD = PASSWORD('Sesam Sesam')", 'SET PASSWORD = [secret]'],
  ['a statement of PostgreSQL', "ALTER ROLE a WITH PASSWORD 'Sesam'", 'ALTER ROLE a WITH PASSWORD [secret]'],
  ['a constant of PHP', "define( 'DB_PASSWORD', 'Sesam Sesam' );", "define( 'DB_PASSWORD', [secret] );"],
  [
    'a salt of WordPress',
    "define('AUTH_SALT',        'Sesam Sesam');",
    "define('AUTH_SALT',        [secret]);",
  ],
  ['an element', '<password>Sesam Sesam</password>', '<password>[secret]</password>'],
  [
    'a field in a string of JSON',
    String.raw`"{\"password\":\"Sesam Sesam\",\"port\":1}"`,
    String.raw`"{\"password\":\"[secret]\",\"port\":1}"`,
  ],
  ['a German word', 'Kennwort: Sesam', 'Kennwort: [secret]'],
  ['a quoted option of MySQL', "mysql -uroot -p'Sesam Sesam' shop", 'mysql -uroot -p[secret] shop'],
  ['an option of redis-cli', 'redis-cli -h n1 -a Sesam ping', 'redis-cli -h n1 -a [secret] ping'],
  ['a variable of redis-cli', 'REDISCLI_AUTH=Sesam', 'REDISCLI_AUTH=[secret]'],
  [
    'an option of openssl',
    "openssl rsa -passin pass:Sesam -passout 'pass:Sesam'",
    "openssl rsa -passin pass:[secret] -passout 'pass:[secret]'",
  ],
  ['an abbreviation', 'pw=Sesam', 'pw=[secret]'],
  ['an abbreviation in PHP', "'pw' => 'Sesam Sesam'", "'pw' => [secret]"],
  [
    'a URL in JSON of PHP',
    String.raw`{"url":"https:\/\/deploy:Sesam!1@git.test\/a.git"}`,
    String.raw`{"url":"https:\/\/deploy:[secret]@git.test\/a.git"}`,
  ],
  [
    'a URL with a token in JSON of PHP',
    String.raw`https:\/\/${random}@git.test\/a.git`,
    String.raw`https:\/\/[secret]@git.test\/a.git`,
  ],
  ['an option of sshpass', 'sshpass -p Sesam ssh n1', 'sshpass -p [secret] ssh n1'],
  ['a header', 'Authorization: token Sesam', 'Authorization: [secret]'],
  ['a cookie', 'Set-Cookie: id=Sesam; Path=/', 'Set-Cookie: [secret]'],
  ['a bearer', `Bearer ${random}`, 'Bearer [secret]'],
  ['a token of GitHub', token('ghp_'), '[secret]'],
  ['a token of GitLab', token('glpat-'), '[secret]'],
  ['a token of Slack', token('xoxb-'), '[secret]'],
  ['a token of Atlassian', token('ATATT3xFf'), '[secret]'],
  ['a key of Stripe', token('sk_live_'), '[secret]'],
  ['a hash', '$2y$10$SesamSesamSesamSesamSe', '[secret]'],
  ['colours within it', `Sesam\u001b[1mPleskKey`, '[secret]'],
])('masks %s', async (_, text, masked) => {
  const { lines, error } = await print(`before ${text}\n`)
  expect(lines).toEqual([`before ${masked}`, `before ${masked}`, expect.stringContaining(`before ${masked}`)])
  expect(error).toContain(`before ${masked}`)
  expect(await tablesWith(database, 'Sesam')).toEqual([])
})

test.each([
  ['base64', base64(session)],
  ['base64 for URLs', base64(smtp, 'base64url')],
  ['base64 after another character', base64(`x${session}`)],
  ['base64 between other characters', base64(`xx${session}xx`)],
  ['Basic authentication', `Basic ${base64('bot@agency.test:SesamBitbucket')}`],
  ['a token of JSON', [...jwt, 'signature'].join('.')],
])('masks secrets in %s', async (_, text) => {
  const { lines, error } = await print(`before ${text} after\n`)
  const encoded = text.slice(8, -8)
  for (const line of [...lines, error]) {
    expect(line).toContain('[secret]')
    expect(line).not.toContain(encoded)
  }
  expect(await tablesWith(database, encoded)).toEqual([])
})

test.each([
  ['over two lines', 'a SesamSession\nSesamSecretSesam0123 b\n', ['a [secret]', '[secret] b']],
  ['over three lines', 'SesamSess\nionSesamSecr\netSesam0123\n', ['[secret]', '[secret]', '[secret]']],
  ['over lines with blanks', '  SesamSession \n  SesamSecretSesam0123\n', ['  [secret] ', '  [secret]']],
  ['by a few characters', 'a SesamSessionSesamSecretSesam0\n123\nb\n', ['a [secret]', '[secret]', 'b']],
  ['without a line end', 'a SesamSession', ['a [secret]']],
  [
    'by the longest line',
    `${'a'.repeat(maxLineLength - 9)}${session}${session}\n`,
    [`${'a'.repeat(maxLineLength - 9)}[secret] … (cut)`],
  ],
  [
    'of a private key',
    [
      'a',
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      random,
      'Sesam=',
      '-----END OPENSSH PRIVATE KEY-----',
      'b\n',
    ].join('\n'),
    ['a', '[secret]', '[secret]', '[secret]', '[secret]', 'b'],
  ],
  ['of a wrapped token', `${token('ghp_')}\n${random}\nb\n`, ['[secret]', '[secret]', 'b']],
])('masks a secret that is split %s', async (_, text, masked) => {
  const { lines, error } = await print(text)
  expect(lines.slice(0, -1).toSorted()).toEqual([...masked, ...masked].toSorted())
  expect(error).not.toContain('Sesam')
  expect(await tablesWith(database, 'Sesam')).toEqual([])
})

test('masks a secret that arrives in two chunks', async () => {
  const { lines } = await run(
    'sh',
    '-c',
    `printf 'a Sesam'; sleep 0.3; printf 'Plesk'; sleep 0.3; printf 'Key b\\n'`,
  )
  expect(lines.slice(1)).toEqual(['a [secret] b'])
  expect(await tablesWith(database, 'SesamPlesk')).toEqual([])
})

test('masks the beginning of a secret over lines by its other half', async () => {
  // Three characters are too ordinary to hold their line back.
  const { lines } = await print(`a ${session.slice(0, 3)}\n${session.slice(3)} b\n`)
  expect(lines.slice(0, 2)).toEqual([`a ${session.slice(0, 3)}`, '[secret] b'])
})

test('masks the secrets of a recipe wherever they occur', async () => {
  await writeFile(join(nodeFolder, 'output'), 'SesamRecipe1 SesamRecipe2 SesamRecipe3 SesamRecipe4\n')
  const argv = [
    ...['--password=SesamRecipe1', '--auth-token', 'SesamRecipe2', 'https://u:SesamRecipe3@git.test'],
    "it's --pass=SesamRecipe4",
  ]
  const { lines, error } = await run('sh', '-c', 'cat output >&2; exit 3', 'sh', ...argv)
  expect(lines[0]).toContain('--password=[secret]')
  expect(lines[1]).toBe('[secret] [secret] [secret] [secret]')
  expect(error).toContain('[secret] [secret] [secret] [secret]')
  expect(await tablesWith(database, 'SesamRecipe')).toEqual([])
})

test('masks the stored key of the node', async () => {
  const id = node?.id ?? 0
  const sealed = sealPanelKey(createSecretBox(read.configuration.SECRETS_KEY), id, 'SesamStoredKey')
  await db.update(nodes).set({ plesk_key: sealed }).where(eq(nodes.id, id))
  const { lines, error } = await print('key SesamStoredKey\n')
  expect(lines.slice(0, 2)).toEqual(['key [secret]', 'key [secret]'])
  expect(error).toContain('key [secret]')
  expect(await tablesWith(database, 'SesamStoredKey')).toEqual([])
})

test('shows ordinary output as it is', async () => {
  const text = [
    'Access denied for user (using password: YES)',
    'https://web.test:8443/a@b and http://web.test/?page=2',
    'Basic facts of a bearer, 12 secrets, a token',
    'mail mail.test metrics agency n1 kustos',
    `commit 0123456789abcdef0123456789abcdef01234567`,
    '  composer install --no-dev -p',
    'redis-cli -h n1 ping -a',
    'npw=3, PW: 4, bypass:yes, a test pass: 12, pw == x',
    String.raw`{"url":"https:\/\/web.test:8443\/a@b"}`,
    'PWD=/var/www/vhosts/web.test',
    'a -----',
  ]
  const { lines } = await print(`${text.join('\n')}\n`)
  expect(lines.slice(0, -1).toSorted()).toEqual([...text, ...text].toSorted())
})
