import { useEffect, useState } from 'react'

/** The current Unix time in milliseconds. @param intervalMs between updates; null if it is not updated */
export function useNow(intervalMs: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (intervalMs === null) return
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
