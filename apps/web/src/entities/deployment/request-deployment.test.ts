import { expect, it } from 'vitest'
import { deploymentIn } from './request-deployment.ts'

it.each([
  ['/api/deployments/17', 17],
  ['https://kustos.example/api/deployments/1', 1],
  ['/api/deployments/0', null],
  ['/api/webs/17', null],
  [null, null],
])('reads the deployment %s from the header as %s', (location, expected) => {
  expect(deploymentIn(location)).toBe(expected)
})
