import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback, useMergedRef } from '@mantine/hooks'
import { type Ref, useEffect, useRef, useState } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly value: string
  readonly onCommit: (value: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

const typingPauseMs = 300

/** A field that applies its value when typing pauses, on blur and on Enter. */
export function DebouncedInput({ value, onCommit, ref, ...input }: Props) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  // The URL may spell the value differently. It must not replace text that is being typed.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value)
  }, [value])
  const commitLater = useDebouncedCallback((next: string) => {
    // A partly typed date is empty and must not clear the filter.
    if (!field.current?.validity.badInput) commit(next)
  }, typingPauseMs)
  function commit(next: string) {
    commitLater.cancel()
    if (next !== value) onCommit(next)
  }
  return (
    <TextInput
      {...input}
      ref={useMergedRef(field, ref)}
      value={typed}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value
        setTyped(next)
        commitLater(next)
      }}
      onBlur={() => {
        if (commitLater.isPending()) commit(typed)
        else setTyped(value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(typed)
      }}
    />
  )
}
