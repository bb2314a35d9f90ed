import { testRedis } from '@kustos/database/testing'
import { describe, test } from 'vitest'
import { testDeployments } from './deployment-tests.ts'

const redis = await testRedis()

// In a file of its own, because files run side by side.
if (redis === null) test.skip('deployments on Redis (skipped without redis-server)')
else describe('deployments on Redis', () => testDeployments(redis.url))
