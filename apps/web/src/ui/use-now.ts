import { useEffect, useState } from 'react'

/** The current Unix time in milliseconds. @param interval milliseconds between updates; null for none */
export function useNow(interval: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (interval === null) return
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
