! frb_step and quat_step by the names and the arguments that they have in [CZ08 section 3], for programs that call them
! without an interface: compile this file with the program and link libpolhode. docs/c-interface.md.
!
!   call frb_step(Piout, Qout, h, aInert, Piin, Qin)             the attitude is a matrix, Q(3, 3)
!   call quat_step(Piout, qout, h, aInert, Piin, qin)            the attitude is a quaternion, q(4), scalar part first
!   call frb_step_gauss(Piout, Qout, h, aInert, Piin, Qin, np)   semi-exact, with np = 1 to 10 Gauss nodes (0: exact)
!   call quat_step_gauss(Piout, qout, h, aInert, Piin, qin, np)
!   call frb_message(text)
!
! All numbers are double precision, np is an integer. The momentum may have any norm, the moments any order.
! What goes wrong leaves NaN in the results, and frb_message gives the reason as a sentence; blank while nothing has.

subroutine frb_step(Piout, Qout, h, aInert, Piin, Qin)
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
  real(c_double), intent(out) :: Piout(3), Qout(3, 3)
  real(c_double), intent(in) :: h, aInert(3), Piin(3), Qin(3, 3)
  external :: frb_step_gauss
  call frb_step_gauss(Piout, Qout, h, aInert, Piin, Qin, 0)
end subroutine frb_step

subroutine quat_step(Piout, qout, h, aInert, Piin, qin)
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
  real(c_double), intent(out) :: Piout(3), qout(4)
  real(c_double), intent(in) :: h, aInert(3), Piin(3), qin(4)
  external :: quat_step_gauss
  call quat_step_gauss(Piout, qout, h, aInert, Piin, qin, 0)
end subroutine quat_step

subroutine frb_step_gauss(Piout, Qout, h, aInert, Piin, Qin, np)
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  implicit none
  real(c_double), intent(out) :: Piout(3), Qout(3, 3)
  real(c_double), intent(in) :: h, aInert(3), Piin(3), Qin(3, 3)
  integer, intent(in) :: np
  interface
    function step(momentum_out, attitude_out, h, inertia, momentum_in, attitude_in, nodes) &
        result(status) bind(c, name='polhode_frb_step')
      import :: c_double, c_int
      real(c_double), intent(inout) :: momentum_out(3), attitude_out(3, 3)
      real(c_double), value :: h
      real(c_double), intent(in) :: inertia(3), momentum_in(3), attitude_in(3, 3)
      integer(c_int), value :: nodes
      integer(c_int) :: status
    end function
  end interface
  if (step(Piout, Qout, h, aInert, Piin, Qin, int(np, c_int)) /= 0) then
    Piout = ieee_value(h, ieee_quiet_nan)
    Qout = ieee_value(h, ieee_quiet_nan)
  end if
end subroutine frb_step_gauss

subroutine quat_step_gauss(Piout, qout, h, aInert, Piin, qin, np)
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  implicit none
  real(c_double), intent(out) :: Piout(3), qout(4)
  real(c_double), intent(in) :: h, aInert(3), Piin(3), qin(4)
  integer, intent(in) :: np
  interface
    function step(momentum_out, attitude_out, h, inertia, momentum_in, attitude_in, nodes) &
        result(status) bind(c, name='polhode_quat_step')
      import :: c_double, c_int
      real(c_double), intent(inout) :: momentum_out(3), attitude_out(4)
      real(c_double), value :: h
      real(c_double), intent(in) :: inertia(3), momentum_in(3), attitude_in(4)
      integer(c_int), value :: nodes
      integer(c_int) :: status
    end function
  end interface
  if (step(Piout, qout, h, aInert, Piin, qin, int(np, c_int)) /= 0) then
    Piout = ieee_value(h, ieee_quiet_nan)
    qout = ieee_value(h, ieee_quiet_nan)
  end if
end subroutine quat_step_gauss

! What went wrong in the last call of this thread that failed.
subroutine frb_message(text)
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_ptr, c_size_t
  implicit none
  character(len=*), intent(out) :: text
  interface
    function last_error() result(source) bind(c, name='polhode_last_error')
      import :: c_ptr
      type(c_ptr) :: source
    end function
    pure function strlen(source) result(length) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: source
      integer(c_size_t) :: length
    end function
  end interface
  character(kind=c_char), pointer :: letters(:)
  integer :: i
  call c_f_pointer(last_error(), letters, [strlen(last_error())])
  text = ' '
  do i = 1, min(len(text), size(letters))
    text(i:i) = letters(i)
  end do
end subroutine frb_message
