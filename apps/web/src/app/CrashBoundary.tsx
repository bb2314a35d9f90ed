import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  readonly fallback: (error: unknown) => ReactNode
}

interface State {
  readonly crash?: { readonly error: unknown }
}

/** Catches errors outside of the router's screens. React offers this to classes only. */
export class CrashBoundary extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { crash: { error } }
  }

  override render() {
    const { crash } = this.state
    return crash === undefined ? this.props.children : this.props.fallback(crash.error)
  }
}
