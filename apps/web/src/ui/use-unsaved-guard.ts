import { useWindowEvent } from '@mantine/hooks'
import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Blocker } from 'react-router-dom'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { BlockerContext, guards } from './NavigationBlocker.tsx'
import { useAbortOnUnmount } from './use-abort-on-unmount.ts'
import { updateConfirm, useConfirm } from './use-confirm.tsx'

/** Lets a form tell the dialog around it whether it has unsaved changes. */
export const DialogUnsavedContext = createContext<RefObject<() => boolean> | null>(null)

/** What leaving means, where it is more than that changes are lost. */
interface LeaveTexts {
  readonly title: string
  readonly text: string
}

type Options = Partial<LeaveTexts> & Pick<Parameters<ReturnType<typeof useConfirm>>[0], 'modalId' | 'signal'>

/** @returns a function that asks whether to leave unsaved changes, as long as what asks is there */
export function useLeaveQuestion(): (options?: Options) => Promise<boolean> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const signal = useAbortOnUnmount()
  return useCallback(
    (options) =>
      confirm({
        title: t('ui.unsaved.title'),
        text: t('ui.unsaved.text'),
        signal,
        ...options,
        yes: t('ui.unsaved.leave'),
        no: t('ui.unsaved.stay'),
        danger: true,
      }),
    [confirm, signal, t],
  )
}

/**
 * Asks before a form with unsaved changes is left, by a link, Back, closing the tab or the dialog around it.
 * @param hasUnsaved called when leaving, so that a form that was just saved does not ask
 * @param texts may change while the question is open
 * @returns a function to be called once nothing is unsaved: if the question is open, it closes it and goes where the user
 * wanted to, and returns true
 */
export function useUnsavedGuard(hasUnsaved: () => boolean, texts?: LeaveTexts): () => boolean {
  const { t } = useTranslation()
  const mayLeave = useLeaveQuestion()
  const blocker = useContext(BlockerContext)
  useEffect(() => {
    guards.add(hasUnsaved)
    return () => void guards.delete(hasUnsaved)
  }, [hasUnsaved])

  // The question must be there even if the connection is lost.
  useEffect(() => void prepareOverlays(), [])

  // An event, so that texts that arrive meanwhile do not ask a second time.
  const modalId = useId()
  const ask = useEffectEvent((signal: AbortSignal) => mayLeave({ ...texts, modalId, signal }))
  // One question is enough: that of the dialog, if both it and the form below have unsaved changes.
  const isAsking = useEffectEvent(() => [...guards].findLast((isUnsaved) => isUnsaved()) === hasUnsaved)
  const asked = useRef<Extract<Blocker, { state: 'blocked' }>>(null)
  useEffect(() => {
    if (blocker.state !== 'blocked' || !isAsking()) return
    const closing = new AbortController()
    asked.current = blocker
    // The texts may change until the code of dialogs is loaded.
    const answer = prepareOverlays().then(() => !closing.signal.aborted && ask(closing.signal))
    void answer.then((leave) => {
      // Another navigation may have answered meanwhile, which the blocker does not forgive.
      if (closing.signal.aborted || asked.current !== blocker) return
      asked.current = null
      if (leave) blocker.proceed()
      else blocker.reset()
    })
    return () => {
      asked.current = null
      closing.abort()
    }
  }, [blocker])

  const title = texts?.title ?? t('ui.unsaved.title')
  const text = texts?.text ?? t('ui.unsaved.text')
  useEffect(() => updateConfirm(modalId, { title, text }), [modalId, title, text])

  useWindowEvent('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault()
  })

  const dialog = useContext(DialogUnsavedContext)
  useEffect(() => {
    if (dialog === null) return
    dialog.current = hasUnsaved
    return () => {
      dialog.current = () => false
    }
  }, [dialog, hasUnsaved])

  return useCallback(() => {
    const blocked = asked.current
    asked.current = null
    blocked?.proceed()
    return blocked !== null
  }, [])
}
