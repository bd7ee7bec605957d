! Bodies under torque in Fortran: a top by a splitting scheme of one's own, a body with a control law, and a torque that
! fails. The numbers are those of driven.c.
module torques
  use polhode
  implicit none

  ! A law of control that brakes the body and lets it turn about axis 3. It refuses to work after a time.
  type :: law
    real(c_double) :: gain, rate, last
  end type

contains

  ! A top in a uniform field, with the potential u(3), u the field seen from the body: the torque is u x e3.
  function top(attitude, angular_velocity, time, torque, user) result(status) bind(c)
    real(c_double), intent(in) :: attitude(4), angular_velocity(3)
    real(c_double), value :: time
    real(c_double), intent(inout) :: torque(3)
    type(c_ptr), value :: user
    integer(c_int) :: status
    real(c_double), pointer :: field(:)
    real(c_double) :: u(3)
    call c_f_pointer(user, field, [3])
    u = seen(attitude, field)
    torque = [u(2), -u(1), 0d0]
    status = merge(0_c_int, 1_c_int, time >= 0 .and. size(angular_velocity) == 3)
  end function

  function control(attitude, angular_velocity, time, torque, user) result(status) bind(c)
    real(c_double), intent(in) :: attitude(4), angular_velocity(3)
    real(c_double), value :: time
    real(c_double), intent(inout) :: torque(3)
    type(c_ptr), value :: user
    integer(c_int) :: status
    type(law), pointer :: the_law
    call c_f_pointer(user, the_law)
    status = 7
    if (time > the_law%last .or. size(attitude) /= 4) return
    torque = -the_law%gain*(angular_velocity - [0d0, 0d0, the_law%rate])
    status = 0
  end function

  ! A vector of space in the body, Q^T v.
  pure function seen(q, v) result(u)
    real(c_double), intent(in) :: q(4), v(3)
    real(c_double) :: u(3), across(3)
    across = cross(q(2:4), v)
    u = v + 2*(cross(q(2:4), across) - q(1)*across)
  end function

  pure function cross(a, b) result(c)
    real(c_double), intent(in) :: a(3), b(3)
    real(c_double) :: c(3)
    c = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function

end module torques

program driven_bodies
  use torques
  implicit none
  ! The coefficients (23) of Celledoni and Zanna.
  real(c_double), parameter :: a(7) = [0.0378593198406116d0, 0.102635633102435d0, -0.0258678882665587d0, &
    0.314241403071477d0, -0.130144459517415d0, 0.106417700369543d0, -0.00879424312851058d0]
  real(c_double), parameter :: b(6) = [0.09171915262446165d0, 0.183983170005006d0, -0.05653436583288827d0, &
    0.004914688774712854d0, 0.143761127168358d0, 0.328567693746804d0]
  real(c_double), parameter :: moments(3) = [1d0, 1.0126869887825154d0, 3.3062374224730378d0]
  real(c_double), parameter :: attitude(4) = [1d0, 0d0, 0d0, 0d0]
  real(c_double), parameter :: &
    momentum(3) = [-3.4790957088547336d-01, -1.9822914599675923d-01, -9.1633189192763642d-01]
  real(c_double), target :: field(3) = [9.5586303547238536d-05, 4.8777318247201465d-04, -8.6772148817192390d-04]
  type(law), target :: the_law = law(0.5d0, 0.2d0, 1d9)
  type(c_ptr) :: own = c_null_ptr, body = c_null_ptr, driven = c_null_ptr
  real(c_double) :: m(3), q(4), omega(3), u(3), time, energy, effective
  integer(c_int) :: order, status
  integer(c_int64_t) :: kicks

  call check(polhode_scheme_own(a, b, own))
  call check(polhode_scheme_figures(own, order, kicks, effective))
  print '(a, i0, a, i0, a, f4.2)', 'order ', order, ', ', kicks, ' kicks, effective error ', effective

  ! Their perturbed top, up to t = 5000.
  call check(polhode_body_from_moments(moments, body))
  call check(polhode_driven_create(body, momentum, attitude, 0d0, own, 'exact', top, polhode_torque_of_attitude, &
                                   c_loc(field), driven))
  call check(polhode_driven_steps(driven, 0.5d0, 10000_c_int64_t))
  call check(polhode_driven_time(driven, time))
  call check(polhode_driven_state(driven, m, q))
  call check(polhode_driven_angular_velocity(driven, omega))
  u = seen(q, field)
  energy = 0.5d0*sum(m*omega - momentum**2/moments) + u(3) - field(3)
  print '(a, f6.1, 3f15.9)', 'time ', time, m
  print '(a)', 'the energy is '//trim(merge('off by less than 2e-13', 'lost                  ', abs(energy) < 2d-13))
  call polhode_driven_free(driven)
  call polhode_scheme_free(own)

  ! The same body under control, with the scheme that the library chooses, from the time 10 on.
  call check(polhode_driven_create(body, momentum, attitude, 10d0, c_null_ptr, '', control, &
                                   polhode_torque_of_velocity, c_loc(the_law), driven))
  call check(polhode_driven_steps(driven, 0.05d0, 400_c_int64_t))
  call check(polhode_driven_time(driven, time))
  call check(polhode_driven_angular_velocity(driven, omega))
  print '(a, f6.1, 3f15.9)', 'time ', time, omega

  ! A torque that fails stops the call, and nothing of it has moved.
  the_law%last = 31.7d0
  status = polhode_driven_steps(driven, 0.05d0, 400_c_int64_t)
  call check(polhode_driven_time(driven, time))
  print '(a, i0, a, f4.1, 2a)', 'status ', status, ' at time ', time, ': ', polhode_last_error()

  call polhode_driven_free(driven)
  call polhode_body_free(body)

contains

  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code == polhode_ok) return
    print '(2a)', 'polhode: ', polhode_last_error()
    stop 1
  end subroutine

end program driven_bodies
