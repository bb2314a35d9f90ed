import zlib from 'node:zlib'

// The library would load the tables of a hundred code pages, which only reading takes: 20 MiB in each export's thread.
Object.assign(globalThis, { cptable: {} })
const { default: XLSX } = await import('sheetjs-style')

/** The library asks for `bytesRead`, which Node calls `bytesWritten` now: https://nodejs.org/api/deprecations.html, DEP0108. */
class InflateRaw extends zlib.InflateRaw {
  get bytesRead(): number {
    return this.bytesWritten
  }
}

/** Its types leave this out: https://github.com/SheetJS/js-cfb, `CFB.utils`. */
const utils = XLSX.CFB.utils as typeof XLSX.CFB.utils & { use_zlib(zlib: object): void }

// Else it deflates in JavaScript, which is a quarter of what a file takes.
utils.use_zlib({ ...zlib, InflateRaw })

export { XLSX }
