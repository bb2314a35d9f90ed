import { hasRedis } from './redis-program.ts'

/** Where the jobs are: both if possible, or the one that is named (`--backend redis`), which then must be available. */
export const backends = (['postgres', 'redis'] as const).filter((backend) =>
  process.env.KUSTOS_FAULTS_BACKEND
    ? process.env.KUSTOS_FAULTS_BACKEND === backend
    : backend === 'postgres' || hasRedis,
)
