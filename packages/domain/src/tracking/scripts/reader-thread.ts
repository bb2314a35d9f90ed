import { parentPort } from 'node:worker_threads'
import { readScript, type ScriptSource } from './read-script.ts'

if (parentPort === null) throw new Error('This runs as a thread')
const port = parentPort
/** Answers each source with its facts; null if it is too complex to be read. */
port.on('message', (source: ScriptSource) => port.postMessage(readScript(source)))
