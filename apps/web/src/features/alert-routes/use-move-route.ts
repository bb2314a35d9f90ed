import { type AlertRoute, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'

/** @returns a function that moves a route up or down among all routes. While one is moved, it ignores further moves. */
export function useMoveRoute() {
  const { t } = useTranslation()
  const isMoving = useRef(false)
  return async (routes: readonly AlertRoute[], { id, name }: AlertRoute, by: 1 | -1) => {
    // The order on the screen is the one before, so the next move would undo this one.
    if (isMoving.current) return
    isMoving.current = true
    const ids = routes.map((route) => route.id)
    const others = ids.filter((other) => other !== id)
    const body = { ids: others.toSpliced(ids.indexOf(id) + by, 0, id) }
    try {
      await notifyOutcome(name, t('alertRoutes.done.moved'), () =>
        write(alertRoutesRoutes.orderAlertRoutes, { body }, staleRoutes),
      )
    } finally {
      isMoving.current = false
    }
  }
}
