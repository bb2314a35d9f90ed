import { testRedis } from '@kustos/database/testing'
import { describe, test } from 'vitest'
import { testDeployments } from './deployment-tests.ts'

const redis = await testRedis()

// A separate file, because files run in parallel.
if (redis === null) test.skip('deployments on Redis (skipped without redis-server)')
else describe('deployments on Redis', () => testDeployments(redis.url))
