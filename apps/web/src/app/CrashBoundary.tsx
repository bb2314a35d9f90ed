import { Component, type ReactNode } from 'react'
import { Crash } from './Crash.tsx'

interface Props {
  readonly children: ReactNode
}

/** Catches what breaks outside of the router: code that cannot be loaded, above all. React wants a class for it. */
export class CrashBoundary extends Component<Props, { readonly crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <Crash /> : this.props.children
  }
}
