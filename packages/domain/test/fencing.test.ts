import { needsSsh } from './fencing/freeze-points.ts'
import { testFreezes } from './fencing/freeze-tests.ts'

// faults/fencing.test.ts wakes it while the other one still runs the command, and freezes it at each point over SSH, which takes
// two seconds.
testFreezes('after', {
  isTested: (point) => !needsSsh(point) || /^(client\.(connect|exec)|resolve\(processOf)\(/.test(point.text),
})
