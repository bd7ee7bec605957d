! The C interface of polhode for Fortran 2003 and later; polhode.h explains every function.
! Handles are type(c_ptr); arrays of n states have the shapes (3, n) and (4, n).
module polhode
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_funloc, &
    c_funptr, c_int, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr, c_size_t
  implicit none
  private
  public :: c_double, c_f_pointer, c_int, c_int64_t, c_loc, c_null_ptr, c_ptr
  public :: polhode_last_error, polhode_version, polhode_instruction_set
  public :: polhode_body_from_moments, polhode_body_from_tensor, polhode_body_free
  public :: polhode_step, polhode_steps, polhode_batch_steps, polhode_batch_steps_mixed
  public :: polhode_frb_step, polhode_quat_step
  public :: polhode_rotor_create, polhode_rotor_free, polhode_rotor_steps, polhode_rotor_state, polhode_rotor_errors
  public :: polhode_scheme_named, polhode_scheme_own, polhode_scheme_free, polhode_scheme_figures
  public :: polhode_torque, polhode_driven_create, polhode_driven_free, polhode_driven_steps, polhode_driven_state
  public :: polhode_driven_angular_velocity, polhode_driven_time, polhode_driven_order, polhode_driven_evaluations
  public :: polhode_trajectory_create, polhode_trajectory_free, polhode_trajectory_evaluate, polhode_trajectory_period

  integer(c_int), parameter, public :: polhode_ok = 0
  integer(c_int), parameter, public :: polhode_invalid_argument = 1
  integer(c_int), parameter, public :: polhode_out_of_memory = 2
  integer(c_int), parameter, public :: polhode_internal = 3
  integer(c_int), parameter, public :: polhode_step_failed = 4

  integer(c_int), parameter, public :: polhode_torque_of_attitude = 0
  integer(c_int), parameter, public :: polhode_torque_of_velocity = 1

  ! A torque: a function with bind(c). `user` is the pointer that was given with it; c_f_pointer makes it Fortran's again.
  abstract interface
    function polhode_torque(attitude, angular_velocity, time, torque, user) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      real(c_double), intent(in) :: attitude(4), angular_velocity(3)
      real(c_double), value :: time
      real(c_double), intent(inout) :: torque(3)
      type(c_ptr), value :: user
      integer(c_int) :: status
    end function
  end interface

  interface
    function polhode_body_from_moments(moments, body) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      real(c_double), intent(in) :: moments(3)
      type(c_ptr), intent(inout) :: body
      integer(c_int) :: status
    end function

    ! A tensor is symmetric: by rows or by columns, it is the same.
    function polhode_body_from_tensor(tensor, body) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      real(c_double), intent(in) :: tensor(3, 3)
      type(c_ptr), intent(inout) :: body
      integer(c_int) :: status
    end function

    subroutine polhode_body_free(body) bind(c)
      import :: c_ptr
      type(c_ptr), value :: body
    end subroutine

    function polhode_step(body, momentum, attitude, h) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: body
      real(c_double), intent(inout) :: momentum(3), attitude(4)
      real(c_double), value :: h
      integer(c_int) :: status
    end function

    function polhode_steps(body, momentum, attitude, h, count) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: body
      real(c_double), intent(inout) :: momentum(3), attitude(4)
      real(c_double), value :: h
      integer(c_int64_t), value :: count
      integer(c_int) :: status
    end function

    ! The attitude is a 3 by 3 matrix; nodes is 0 for the exact step. frb.f90 has both by the names of the paper.
    function polhode_frb_step(momentum_out, attitude_out, h, inertia, momentum_in, attitude_in, nodes) &
        result(status) bind(c)
      import :: c_double, c_int
      real(c_double), intent(inout) :: momentum_out(3), attitude_out(3, 3)
      real(c_double), value :: h
      real(c_double), intent(in) :: inertia(3), momentum_in(3), attitude_in(3, 3)
      integer(c_int), value :: nodes
      integer(c_int) :: status
    end function

    function polhode_quat_step(momentum_out, attitude_out, h, inertia, momentum_in, attitude_in, nodes) &
        result(status) bind(c)
      import :: c_double, c_int
      real(c_double), intent(inout) :: momentum_out(3), attitude_out(4)
      real(c_double), value :: h
      real(c_double), intent(in) :: inertia(3), momentum_in(3), attitude_in(4)
      integer(c_int), value :: nodes
      integer(c_int) :: status
    end function

    function polhode_batch_steps(body, n, momenta, attitudes, h, count, threads) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: body
      integer(c_int64_t), value :: n, count, threads
      real(c_double), intent(inout) :: momenta(3, *), attitudes(4, *)
      real(c_double), value :: h
      integer(c_int) :: status
    end function

    function polhode_batch_steps_mixed(moments, n, momenta, attitudes, h, count, threads) result(status) bind(c)
      import :: c_double, c_int, c_int64_t
      real(c_double), intent(in) :: moments(3, *)
      integer(c_int64_t), value :: n, count, threads
      real(c_double), intent(inout) :: momenta(3, *), attitudes(4, *)
      real(c_double), value :: h
      integer(c_int) :: status
    end function

    subroutine polhode_rotor_free(rotor) bind(c)
      import :: c_ptr
      type(c_ptr), value :: rotor
    end subroutine

    function polhode_rotor_steps(rotor, h, count) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: rotor
      real(c_double), value :: h
      integer(c_int64_t), value :: count
      integer(c_int) :: status
    end function

    function polhode_rotor_state(rotor, momentum, attitude) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: rotor
      real(c_double), intent(inout) :: momentum(3), attitude(4)
      integer(c_int) :: status
    end function

    function polhode_rotor_errors(rotor, energy, momentum_norm, spatial_momentum) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: rotor
      real(c_double), intent(inout) :: energy, momentum_norm, spatial_momentum(3)
      integer(c_int) :: status
    end function

    subroutine polhode_scheme_free(scheme) bind(c)
      import :: c_ptr
      type(c_ptr), value :: scheme
    end subroutine

    function polhode_scheme_figures(scheme, order, kicks, effective_error) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: scheme
      integer(c_int), intent(inout) :: order
      integer(c_int64_t), intent(inout) :: kicks
      real(c_double), intent(inout) :: effective_error
      integer(c_int) :: status
    end function

    subroutine polhode_driven_free(driven) bind(c)
      import :: c_ptr
      type(c_ptr), value :: driven
    end subroutine

    function polhode_driven_steps(driven, h, count) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: driven
      real(c_double), value :: h
      integer(c_int64_t), value :: count
      integer(c_int) :: status
    end function

    function polhode_driven_state(driven, momentum, attitude) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: driven
      real(c_double), intent(inout) :: momentum(3), attitude(4)
      integer(c_int) :: status
    end function

    function polhode_driven_angular_velocity(driven, angular_velocity) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: driven
      real(c_double), intent(inout) :: angular_velocity(3)
      integer(c_int) :: status
    end function

    function polhode_driven_time(driven, time) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: driven
      real(c_double), intent(inout) :: time
      integer(c_int) :: status
    end function

    function polhode_driven_order(driven, order) result(status) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: driven
      integer(c_int), intent(inout) :: order
      integer(c_int) :: status
    end function

    function polhode_driven_evaluations(driven, evaluations) result(status) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: driven
      integer(c_int64_t), intent(inout) :: evaluations
      integer(c_int) :: status
    end function

    function polhode_trajectory_create(body, momentum, attitude, trajectory) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: body
      real(c_double), intent(in) :: momentum(3), attitude(4)
      type(c_ptr), intent(inout) :: trajectory
      integer(c_int) :: status
    end function

    subroutine polhode_trajectory_free(trajectory) bind(c)
      import :: c_ptr
      type(c_ptr), value :: trajectory
    end subroutine

    function polhode_trajectory_evaluate(trajectory, n, times, momenta, attitudes) result(status) bind(c)
      import :: c_double, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: trajectory
      integer(c_int64_t), value :: n
      real(c_double), intent(in) :: times(*)
      real(c_double), intent(inout) :: momenta(3, *), attitudes(4, *)
      integer(c_int) :: status
    end function

    function polhode_trajectory_period(trajectory, period) result(status) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: trajectory
      real(c_double), intent(inout) :: period
      integer(c_int) :: status
    end function

    ! Behind the functions of the same names below: numbers of elements, and functions as C has them.
    function scheme_own_c(a, a_count, b, b_count, scheme) result(status) bind(c, name='polhode_scheme_own')
      import :: c_double, c_int, c_int64_t, c_ptr
      real(c_double), intent(in) :: a(*), b(*)
      integer(c_int64_t), value :: a_count, b_count
      type(c_ptr), intent(inout) :: scheme
      integer(c_int) :: status
    end function

    function scheme_named_c(name, scheme) result(status) bind(c, name='polhode_scheme_named')
      import :: c_char, c_int, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: scheme
      integer(c_int) :: status
    end function

    function driven_create_c(body, momentum, attitude, start, scheme, method, torque, kind, user, driven) &
        result(status) bind(c, name='polhode_driven_create')
      import :: c_char, c_double, c_funptr, c_int, c_ptr
      type(c_ptr), value :: body, scheme, user
      real(c_double), intent(in) :: momentum(3), attitude(4)
      real(c_double), value :: start
      character(kind=c_char), intent(in) :: method(*)
      type(c_funptr), value :: torque
      integer(c_int), value :: kind
      type(c_ptr), intent(inout) :: driven
      integer(c_int) :: status
    end function

    ! What C strings need: the functions behind the ones below, and the length of a C string.
    function rotor_create_c(body, momentum, attitude, method, rotor) result(status) bind(c, name='polhode_rotor_create')
      import :: c_char, c_double, c_int, c_ptr
      type(c_ptr), value :: body
      real(c_double), intent(in) :: momentum(3), attitude(4)
      character(kind=c_char), intent(in) :: method(*)
      type(c_ptr), intent(inout) :: rotor
      integer(c_int) :: status
    end function

    function last_error_c() result(text) bind(c, name='polhode_last_error')
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function instruction_set_c() result(text) bind(c, name='polhode_instruction_set')
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function version_c() result(text) bind(c, name='polhode_version')
      import :: c_ptr
      type(c_ptr) :: text
    end function

    pure function strlen(text) result(length) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  function polhode_rotor_create(body, momentum, attitude, method, rotor) result(status)
    type(c_ptr), intent(in) :: body
    real(c_double), intent(in) :: momentum(3), attitude(4)
    character(len=*), intent(in) :: method
    type(c_ptr), intent(inout) :: rotor
    integer(c_int) :: status
    status = rotor_create_c(body, momentum, attitude, trim(method)//c_null_char, rotor)
  end function

  function polhode_scheme_named(name, scheme) result(status)
    character(len=*), intent(in) :: name
    type(c_ptr), intent(inout) :: scheme
    integer(c_int) :: status
    status = scheme_named_c(trim(name)//c_null_char, scheme)
  end function

  function polhode_scheme_own(a, b, scheme) result(status)
    real(c_double), intent(in) :: a(:), b(:)
    type(c_ptr), intent(inout) :: scheme
    integer(c_int) :: status
    status = scheme_own_c(a, size(a, kind=c_int64_t), b, size(b, kind=c_int64_t), scheme)
  end function

  ! `scheme` may be c_null_ptr; a blank method is 'exact'.
  function polhode_driven_create(body, momentum, attitude, start, scheme, method, torque, kind, user, driven) &
      result(status)
    type(c_ptr), intent(in) :: body, scheme, user
    real(c_double), intent(in) :: momentum(3), attitude(4), start
    character(len=*), intent(in) :: method
    procedure(polhode_torque) :: torque
    integer(c_int), intent(in) :: kind
    type(c_ptr), intent(inout) :: driven
    integer(c_int) :: status
    character(len=:), allocatable :: name
    name = trim(method)
    if (name == '') name = 'exact'
    status = driven_create_c(body, momentum, attitude, start, scheme, name//c_null_char, c_funloc(torque), kind, user, driven)
  end function

  function polhode_last_error() result(text)
    character(len=:), allocatable :: text
    text = fortran_text(last_error_c())
  end function

  ! Empty where C has a null pointer: polhode_last_error() says why.
  function polhode_instruction_set() result(text)
    character(len=:), allocatable :: text
    type(c_ptr) :: name
    name = instruction_set_c()
    text = ''
    if (c_associated(name)) text = fortran_text(name)
  end function

  function polhode_version() result(text)
    character(len=:), allocatable :: text
    text = fortran_text(version_c())
  end function

  function fortran_text(source) result(text)
    type(c_ptr), intent(in) :: source
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(source, letters, [strlen(source)])
    allocate (character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

end module polhode
