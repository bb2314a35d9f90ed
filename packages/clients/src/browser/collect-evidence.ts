import type { Phase, PhaseScreenshot, SeenTcString } from './browser.ts'
import { readTcString } from './read-tc-string.ts'
import { createStorageRecord } from './record-storage.ts'
import type { OpenedPage } from './run-phase.ts'
import { takeScreenshot } from './take-screenshot.ts'

export type Evidence = ReturnType<typeof createEvidence>

/** Collects what a page has stored, its consent strings and its pictures over all phases of a visit. */
export function createEvidence() {
  const storage = createStorageRecord()
  const tcStrings: SeenTcString[] = []
  const screenshots: PhaseScreenshot[] = []
  const collected: Phase[] = []
  const pageOf = ({ context, instruments }: OpenedPage) => ({ context, ...instruments })

  return {
    /** Begins a context whose first phase is not recorded again. */
    enterContext: (opened: OpenedPage) => storage.enterContext(pageOf(opened)),
    /** Collects at the end of a phase. @param isWhole whether the page has done in it all that was to be seen */
    async collect(opened: OpenedPage, phase: Phase, isWhole = true): Promise<void> {
      const { context, instruments } = opened
      const [isRead, tcString, image] = await Promise.all([
        storage.add(pageOf(opened), phase),
        readTcString(context, instruments.worlds),
        takeScreenshot(instruments.session),
      ])
      if (tcString !== null) tcStrings.push({ phase, tcString })
      if (image !== null) screenshots.push({ phase, image })
      if (isRead && isWhole) collected.push(phase)
    },
    /** Adds what the page has stored in the phase since it was collected. */
    async addStored(opened: OpenedPage, phase: Phase): Promise<void> {
      await storage.add(pageOf(opened), phase)
    },
    result: () => ({ stored: storage.items(), tcStrings, screenshots, collected }),
    problems: storage.problems,
  }
}
