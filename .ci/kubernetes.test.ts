import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './command.ts'
import { findManifestFaults } from './kubernetes.ts'

const api = 'base/api.yaml'
const worker = 'base/worker/worker.yaml'
const browser = 'browser/browser.yaml'
const small = 'overlays/small/kustomization.yaml'
const many = 'overlays/many/kustomization.yaml'
const settings = 'overlays/many/settings.env'

test.each([
  [
    'an image that Compose does not build',
    'base/backup.yaml',
    'image: kustos-worker',
    'image: kustos',
    'has the image kustos, which',
  ],
  [
    'a field that does not exist',
    api,
    'failureThreshold: 900',
    'failureTreshold: 900',
    'startupProbe/failureTreshold is unknown',
  ],
  ['a value of the wrong type', api, 'replicas: 1', 'replicas: one', '/spec/replicas is wrong: type'],
  ['a value that does not exist', api, 'ScheduleAnyway', 'Anyway', 'whenUnsatisfiable is wrong: enum'],
  ['an object that does not exist', browser, 'kind: Service', 'kind: Services', 'there is no Services in v1'],
  ['an unknown variable', worker, 'SSH_KEY_FILE', 'SSH_KEYFILE', 'sets SSH_KEYFILE, which no program reads'],
  ['an unknown setting', settings, 'LOG_LEVEL', 'LOGLEVEL', 'sets LOGLEVEL, which no program reads'],
  [
    'an invalid setting',
    settings,
    'LOG_LEVEL=info',
    'LOG_LEVEL=all',
    'gives LOG_LEVEL the invalid value all',
  ],
  [
    'a secret among the settings',
    settings,
    'LOG_LEVEL=info',
    'SMTP_URL=smtp://mail',
    'contains SMTP_URL, which is a secret',
  ],
  [
    'another port than the image',
    api,
    'containerPort: 3000',
    'containerPort: 3001',
    'has the ports [3001], but Compose has [3000]',
  ],
  [
    'a probe of an unknown port',
    api,
    'path: /api/ready, port: http',
    'path: /api/ready, port: web',
    'readinessProbe of the port web',
  ],
  [
    'a probe of an unknown path',
    api,
    '/api/ready',
    '/api/healthy',
    'readinessProbe of /api/healthy, which nothing serves',
  ],
  ['another readiness than the image', api, '/api/ready', '/api/health', 'is ready by /api/health'],
  [
    'another command than the image',
    worker,
    'METRICS_PORT, /metrics]',
    'METRICS_PORT, /]',
    'another command than the Dockerfile',
  ],
  [
    'a secret that is not in the Secret',
    small,
    'secrets/redis-url,\n',
    '',
    'the Secret api has no redis-url',
  ],
  [
    'a Secret that is missing',
    worker,
    'secretName: worker',
    'secretName: kustos',
    'the Secret kustos, which is missing',
  ],
  [
    'another limit than Compose',
    worker,
    'memory: 768Mi',
    'memory: 512Mi',
    'has the memory limit "512Mi", but Compose has "768Mi"',
  ],
  [
    'a container that may write its file system',
    browser,
    'readOnlyRootFilesystem: true',
    '',
    'lets browser write its file system',
  ],
  [
    'a Service that leads nowhere',
    api,
    'selector: { app.kubernetes.io/name: kustos-api }',
    'selector: { app: api }',
    'Service api leads to 0 kinds of pods',
  ],
  [
    'a browser with a way out',
    browser,
    'egress: [{ to: *workers }]',
    'egress: [{}]',
    'lets its pods reach more than other pods',
  ],
  [
    'a host without PUBLIC_URL',
    small,
    'host, value: kustos.example.com',
    'host, value: example.com',
    'serves example.com, but PUBLIC_URL is https://kustos.example.com',
  ],
  [
    'a queue without workers',
    settings,
    'deployment,inspection,',
    'deployment,',
    'No worker takes the queue inspection',
  ],
  [
    'a volume of one machine for several pods',
    many,
    'value: ReadWriteMany',
    'value: ReadWriteOnce',
    'audit-archive is for one machine, but 5 pods mount it',
  ],
  [
    'other settings of PgBouncer than documented',
    'overlays/many/pgbouncer.ini',
    'pool_mode = transaction',
    'pool_mode = session',
    'other settings than docs/operations.md',
  ],
])('finds %s', async (_, file, from, to, fault) => {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-kubernetes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(root, 'kubernetes'), folder, { recursive: true })
  const text = await readFile(join(folder, file), 'utf8')
  expect(text).toContain(from)
  await writeFile(join(folder, file), text.replace(from, to))
  expect((await findManifestFaults(folder)).join('\n')).toContain(fault)
})

test.each(['small', 'many'])(
  'lets the settings of the overlay %s name a retention of the audit log',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'kustos-kubernetes-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await cp(join(root, 'kubernetes'), folder, { recursive: true })
    await appendFile(join(folder, 'overlays', name, 'settings.env'), 'AUDIT_RETENTION=3 years\n')
    expect(await findManifestFaults(folder)).toEqual([])
  },
)

test.each([
  [
    'a patch without its object',
    'kind: Ingress, name: api',
    'kind: Ingress, name: web',
    'Ingress web, which is missing',
  ],
  [
    'a patch of a missing field',
    '/spec/rules/0/host',
    '/spec/rules/1/host',
    'replaces /spec/rules/1/host, which is missing',
  ],
  ['an image that nothing uses', 'name: kustos-api', 'name: kustos-web', 'nothing is called kustos-web'],
  ['an unknown part of kustomize', 'namespace:', 'namePrefix:', 'has namePrefix, which is not supported'],
])('refuses %s', async (_, from, to, error) => {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-kubernetes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(root, 'kubernetes'), folder, { recursive: true })
  const text = await readFile(join(folder, small), 'utf8')
  await writeFile(join(folder, small), text.replace(from, to))
  await expect(findManifestFaults(folder)).rejects.toThrow(error)
})
