import type { OpenDatabase } from '@kustos/database/client'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/**
 * A registry that tells of the process it is made in: memory, processor, event loop, garbage. One for a process.
 * @param revision of the sources that it runs
 */
export function openRegistry(program: 'api' | 'worker', revision: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'kustos_build_info',
    help: 'Always 1; the labels tell what runs',
    labelNames: ['program', 'revision'],
    registers: [registry],
  }).set({ program, revision }, 1)
  return registry
}

/** Tells of this process's connections to the database. */
export function watchPool(registry: Registry, { pool }: Pick<OpenDatabase, 'pool'>): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `kustos_database_pool_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('connections', 'Open connections of this process to the database', () => pool.totalCount)
  gauge('idle', 'Those of them that nothing uses', () => pool.idleCount)
  gauge('waiting', 'Queries and transactions that wait for a connection', () => pool.waitingCount)
}
