import type { Engine } from './engine.ts'
import type { TestPostgres } from './postgres.ts'

const password = 'kustos'

/** Starts Postgres in a container with its data in memory. */
export async function startContainer(engine: Engine): Promise<TestPostgres> {
  // Testcontainers reads these when it is first imported.
  process.env.DOCKER_HOST ??= engine
  // Its reaper needs privileges that a rootless Podman lacks; `stop` removes the container instead.
  if (engine.includes('podman')) process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer('postgres:18-bookworm')
    .withEnvironment({
      POSTGRES_USER: 'kustos',
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: 'postgres',
      // The same collation as the embedded Postgres, so that lists sort alike.
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
    })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCommand([
      'postgres',
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'].flatMap(
        (line) => ['-c', line],
      ),
    ])
    .withExposedPorts(5432)
    // The image starts it twice: first for its setup, only on the socket, then for use.
    .withWaitStrategy(
      Wait.forAll([
        Wait.forLogMessage(/database system is ready to accept connections/, 2),
        Wait.forListeningPorts(),
      ]),
    )
    .withStartupTimeout(120_000)
    .start()
  return {
    kind: 'container',
    url: `postgres://kustos:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => {
      await container.stop()
    },
  }
}
