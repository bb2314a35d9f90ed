import { type FormErrors, useForm } from '@mantine/form'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../../platform/api-error.ts'
import { readDraft } from '../../platform/drafts.ts'
import { errorText } from '../../platform/message-text.ts'
import { isRecord } from '../../platform/storage.ts'
import { useAbortOnUnmount } from '../use-abort-on-unmount.ts'
import { useUnsavedGuard } from '../use-unsaved-guard.ts'
import { focusFirst } from './focus.ts'
import { addConflicts, changedFields, merge, rebase } from './merge.ts'
import { errorsIn, fieldErrors } from './rules.ts'
import { useDraft, useDraftKey } from './use-draft.ts'

export interface ContractFormOptions<Schema extends z.ZodObject, Result, Source, Values extends object> {
  /** The schema of the route's body. */
  readonly schema: Schema
  /** The record as read, or empty values. Later ones are ignored unless `sourceVersion` changes. */
  readonly source: Source
  /** Whenever it changes, the source is merged into the input. */
  readonly sourceVersion?: unknown
  readonly toValues: (source: Source) => Values
  readonly toBody: (values: Values, source: Source) => z.input<Schema>
  /** Further errors by field, which replace the schema's. */
  readonly check?: (values: Values) => FormErrors
  /** What `check` compares with. Touched fields are validated again when it changes. */
  readonly checkedAgainst?: unknown
  /** Maps field names of the body to those of the form, if they differ. */
  readonly fieldOf?: Readonly<Record<string, keyof Values & string>>
  /** Confirms a valid form before it is sent. */
  readonly confirm?: (values: Values) => Promise<boolean>
  /** Calls the route. The signal is aborted on unmount, because nothing may be written after that. */
  readonly send: (body: z.input<Schema>, signal: AbortSignal) => Promise<Result>
  /** Notifies the user and navigates. */
  readonly onSaved: (result: Result, values: Values) => void | Promise<void>
  /** The form's values after saving; by default the saved ones. */
  readonly afterSave?: (saved: Values) => Values
  /** Reads the record again after a conflict (409). */
  readonly loadLatest?: () => Promise<Source>
}

/** Why saving failed, apart from errors of fields. */
export interface SaveFailure {
  /** `offline`: nothing was sent, so nothing went wrong while saving. */
  readonly kind: 'failed' | 'conflict' | 'offline'
  readonly sentences: readonly string[]
}

/** Where values came from: another user's changes, or a draft from before a sign-in. */
export type ValuesOrigin = 'newest' | 'draft'

export function useContractForm<Schema extends z.ZodObject, Result, Source, Values extends object>(
  options: ContractFormOptions<Schema, Result, Source, Values>,
) {
  const { schema, toValues, toBody, send, onSaved, afterSave, loadLatest, check: ownCheck } = options
  const { fieldOf = {}, confirm } = options
  const [base] = useState(() => toValues(options.source))
  // A record may have several forms, which have different fields.
  const draftKey = useDraftKey(Object.keys(base), isRecord(options.source) ? options.source.id : undefined)
  const unmountSignal = useAbortOnUnmount()
  const root = useRef<HTMLFormElement>(null)

  const [start] = useState(() => {
    const draft = readDraft(draftKey, base)
    if (draft === undefined) return { draft, values: base, conflicts: {} }
    const merged = merge(draft.base, draft.mine, base)
    return { draft, values: merged.values, conflicts: addConflicts(merged, draft.displaced) }
  })
  const baseline = useRef({ source: options.source, base })

  const form = useForm<Values>({
    initialValues: start.values,
    validate: (values) => ({
      ...errorsIn(schema, toBody(values, baseline.current.source), fieldOf),
      ...ownCheck?.(values),
    }),
  })
  const [conflicts, setConflicts] = useState<Partial<Values>>(start.conflicts)
  const [valuesOrigin, setValuesOrigin] = useState<ValuesOrigin | undefined>(start.draft && 'draft')
  const [failure, setFailure] = useState<SaveFailure>()
  const [loading, setLoading] = useState(false)
  /** Fields that have lost focus at least once. They are validated on each change. */
  const touchedFields = useRef(new Set<string>())
  /** Fields with a server error, which client-side validation must not clear. */
  const rejectedFields = useRef(new Set<string>())

  /** The conflicts for those who ask before the next render, as when a form is left once it is saved. */
  const displaced = useRef(conflicts)
  function keepConflicts(next: Partial<Values>) {
    displaced.current = next
    setConflicts(next)
  }

  const { getValues } = form
  const hasUnsaved = useCallback(
    () =>
      changedFields(baseline.current.base, getValues()).length > 0 ||
      Object.keys(displaced.current).length > 0,
    [getValues],
  )
  useUnsavedGuard(hasUnsaved)

  useDraft(draftKey, () =>
    hasUnsaved() ? { base: baseline.current.base, mine: getValues(), displaced: displaced.current } : null,
  )

  function showErrors(errors: FormErrors, fromServer: boolean) {
    const names = Object.keys(errors)
    for (const name of names) touchedFields.current.add(name)
    rejectedFields.current = new Set(fromServer ? names : [])
    form.setErrors(errors)
    focusFirst(root.current, names)
  }

  function showServerError(error: ApiError, values: Values) {
    const { shown, rest } = fieldErrors(error, Object.keys(values), fieldOf)
    showErrors(shown, true)
    // Without a record to load again, the server's sentence says what stands in the way.
    if (error.status === 409 && loadLatest !== undefined)
      setFailure({ kind: 'conflict', sentences: [errorText(error)] })
    else if (rest.length > 0) setFailure({ kind: 'failed', sentences: rest })
    else if (Object.keys(shown).length === 0)
      setFailure({ kind: error.code === 'offline' ? 'offline' : 'failed', sentences: [errorText(error)] })
  }

  const submit = form.onSubmit(
    async (values) => {
      setFailure(undefined)
      setValuesOrigin(undefined)
      if (confirm !== undefined && !(await confirm(values))) return
      try {
        unmountSignal.throwIfAborted()
        const response = await send(toBody(values, baseline.current.source), unmountSignal)
        const base = afterSave?.(values) ?? values
        // Input since the request was sent is unsaved again.
        form.setValues(rebase(values, getValues(), base))
        baseline.current.base = base
        // An emptied form has no errors yet.
        if (afterSave !== undefined) touchedFields.current.clear()
        keepConflicts({})
        await onSaved(response, values)
      } catch (error) {
        if (unmountSignal.aborted) return
        if (!(error instanceof ApiError)) throw error
        showServerError(error, values)
      }
    },
    (errors) => showErrors(errors, false),
  )

  function mergeSource(source: Source) {
    const latest = toValues(source)
    const merged = merge(baseline.current.base, form.getValues(), latest)
    baseline.current = { source, base: latest }
    form.setValues(merged.values)
    keepConflicts(addConflicts(merged, displaced.current))
    setFailure(undefined)
    return merged
  }

  const { source, sourceVersion } = options
  const mergedVersion = useRef(sourceVersion)
  const followSource = useEffectEvent(() => {
    const hadUnsaved = hasUnsaved()
    mergeSource(source)
    if (hadUnsaved) setValuesOrigin('newest')
  })
  useEffect(() => {
    if (mergedVersion.current === sourceVersion) return
    mergedVersion.current = sourceVersion
    followSource()
  }, [sourceVersion])

  async function mergeLatest() {
    if (loadLatest === undefined) return
    setLoading(true)
    try {
      const merged = mergeSource(await loadLatest())
      setValuesOrigin('newest')
      focusFirst(root.current, Object.keys(merged.conflicts))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailure({ kind: 'conflict', sentences: [errorText(error)] })
    } finally {
      setLoading(false)
    }
  }

  function validateField(name: string) {
    if (!rejectedFields.current.has(name)) form.validateField(name)
  }
  /** A rule may depend on several fields. */
  function validateTouched() {
    for (const name of touchedFields.current) validateField(name)
  }
  const validateAgain = useEffectEvent(validateTouched)
  const { checkedAgainst } = options
  useEffect(() => {
    if (checkedAgainst !== undefined) validateAgain()
  }, [checkedAgainst])

  return {
    form,
    root,
    submit,
    failure,
    valuesOrigin,
    conflicts,
    mergeLatest: loadLatest && mergeLatest,
    loading,
    onBlur(name: string) {
      touchedFields.current.add(name)
      validateField(name)
    },
    onChange(name: string) {
      rejectedFields.current.delete(name)
      validateTouched()
    },
    /** Replaces another user's value with the user's own input. */
    restoreMine(name: keyof Values & string) {
      const { [name]: mine, ...others } = conflicts
      form.getInputProps(name).onChange(mine)
      keepConflicts(others as Partial<Values>)
      focusFirst(root.current, [name])
    },
  }
}

export type ContractFormState<Values extends object> = ReturnType<
  typeof useContractForm<z.ZodObject, unknown, unknown, Values>
>
