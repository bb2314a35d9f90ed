import { testFreezes } from '../fencing/freeze-tests.ts'

testFreezes('meanwhile')
