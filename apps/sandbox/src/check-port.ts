import { createServer } from 'node:net'
import { describeError, errorCode, StartError } from './start-error.ts'

/** @throws StartError if the API could not listen there */
export async function checkPort(host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const server = createServer()
      server.once('error', reject)
      server.listen(port, host, () => server.close(() => resolve()))
    })
  } catch (error) {
    throw new StartError(explain(error, host, port))
  }
}

function explain(error: unknown, host: string, port: number): string {
  const code = errorCode(error)
  const advice = `choose another one, such as PORT=${port < 1024 ? 3000 : port + 1}`
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program: stop that one, or ${advice}.`
  if (code === 'EACCES') return `This user may not use port ${port}: ${advice}.`
  return `HOST ${host} is not an address of this machine (${code ?? describeError(error)}): leave it out, or use 0.0.0.0 for all.`
}
