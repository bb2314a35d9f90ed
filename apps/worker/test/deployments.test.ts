import { describe } from 'vitest'
import { testDeployments } from './deployment-tests.ts'

describe('deployments on Postgres', () => testDeployments())
