/**
 * Lets the system ask the server whether it is still there after ten seconds of silence, and about every second after that.
 * Otherwise a statement whose server or network has vanished without a word would wait forever, and keep its place in the pool;
 * notifications would stay away for two hours; and a nightly backup that never ends would keep the next ones from being made.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
