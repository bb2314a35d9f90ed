import { testFreezes } from './fencing/freeze-tests.ts'

// faults/fencing.test.ts wakes it while the other one still runs the command.
testFreezes('after')
