import { describe, expect, it } from 'vitest'
import { columnsWithin } from './use-column-window.ts'

describe('rendered columns', () => {
  it('are all columns while they fit', () => {
    expect(columnsWithin([100, 200, 300], 0, 1440)).toEqual({ from: 0, to: 3 })
    expect(columnsWithin([], 0, 1440)).toEqual({ from: 0, to: 0 })
  })

  it('leave out distant ones on either side', () => {
    const widths = Array.from({ length: 20 }, () => 200)
    expect(columnsWithin(widths, 0, 1000)).toEqual({ from: 0, to: 6 })
    expect(columnsWithin(widths, 2000, 1000)).toEqual({ from: 9, to: 16 })
  })

  it('include each partially visible one', () => {
    const columns = [72, 260, 120, 800, 56, 300, 140, 96, 170, 170, 450]
    for (let left = 0; left < 3000; left += 7) {
      const { from, to } = columnsWithin(columns, left, 390)
      let edge = 0
      for (const [index, column] of columns.entries()) {
        const shows = edge < left + 390 && edge + column > left
        if (shows) expect(index >= from && index < to).toBe(true)
        edge += column
      }
    }
  })
})
